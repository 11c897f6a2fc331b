"""The server: tables that people and bots sit at, over HTTP and WebSockets.

`app` answers requests; `sessions` is one socket; `tables` holds the matches that are being played;
`storage` keeps them as logs of events; `thinking` lets bots think. See docs/protocol.md.
"""
