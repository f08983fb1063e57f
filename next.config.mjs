// JavaScript, so that a production start needs no compiler.
/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  generateBuildId: async () => (await import('./scripts/build-id.mjs')).buildId(import.meta.dirname),
  turbopack: { root: import.meta.dirname },
  images: { unoptimized: true },
  // A page is loaded when it is first asked for: all of them at the start take time and memory.
  experimental: { preloadEntriesOnStart: false },
  // `npm run types` checks them once for the whole project.
  typescript: { ignoreBuildErrors: true },
  // The server owns these; a route only holds what it was given.
  serverExternalPackages: ['@electric-sql/pglite', '@prisma/client', 'pg', 'pglite-prisma-adapter', 'pino'],
}

export default config
