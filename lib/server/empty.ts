// Replaces the package `server-only` where no client bundle is built: server.ts, scripts and tests.
export {}
