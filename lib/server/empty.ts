// Stands for the package `server-only` where no client bundle is made: server.ts, scripts and tests.
export {}
