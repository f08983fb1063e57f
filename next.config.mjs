// JavaScript, so that a production start needs no compiler.
/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  turbopack: { root: import.meta.dirname },
  images: { unoptimized: true },
  // `npm run types` checks them once for the whole project.
  typescript: { ignoreBuildErrors: true },
  // The server owns these; a route only holds what it was given.
  serverExternalPackages: ['@electric-sql/pglite', '@prisma/client', 'pg', 'pglite-prisma-adapter', 'pino'],
}

export default config
