"""What people played, by variant, and what they answered after a match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the tables up to this version."""
    op.add_column("tables", sa.Column("variant", sa.Text))
    op.create_index("ix_tables_variant", "tables", ["variant"])
    op.create_table(
        "played",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("content", sa.Text),
    )
    op.create_table(
        "surveys",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("liked", sa.Integer, nullable=False),
        sa.Column("length", sa.String(8), nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Bring them back to the version before."""
    op.drop_table("surveys")
    op.drop_table("played")
    op.drop_index("ix_tables_variant", "tables")
    op.drop_column("tables", "variant")
