"""The history of the database's tables; `upgrade` brings a database up to date."""
