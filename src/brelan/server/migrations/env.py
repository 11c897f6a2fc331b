"""How Alembic runs the migrations: on the connection that it is given."""

from __future__ import annotations

from alembic import context

from brelan.server.storage import metadata

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,  # all or nothing
)
with context.begin_transaction():
    context.run_migrations()
