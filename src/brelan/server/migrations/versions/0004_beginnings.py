"""Matches that go on from a decision of another match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables up to this version."""
    op.add_column("tables", sa.Column("beginning", sa.Text))


def downgrade() -> None:
    """Bring them back to the version before."""
    op.drop_column("tables", "beginning")
