import { defineConfig } from 'prisma/config'

// For Prisma's own commands (`prisma migrate deploy`, `migrate resolve`), which only a PostgreSQL server can be given to.
const url = process.env.DATABASE_URL

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
})
