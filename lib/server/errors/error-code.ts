import 'server-only'
import * as z from 'zod'

/** What a driver of Prisma passes on of the database's error. */
const driverError = z.object({
  name: z.literal('DriverAdapterError'),
  cause: z.object({ originalCode: z.string().optional(), code: z.string().optional() }),
})
const prismaError = z.object({ meta: z.object({ driverAdapterError: driverError }) })

const databaseCode = (error: Error): string | undefined => {
  const driver =
    driverError.safeParse(error).data ?? prismaError.safeParse(error).data?.meta.driverAdapterError
  return driver?.cause.originalCode ?? driver?.cause.code
}

/**
 * The code of an error of the system, the database or Prisma: `ENOENT`, `40P01`, `P2025`. Where Prisma reports an error of
 * the database, the database's own code. Undefined: it has none.
 */
export const errorCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return databaseCode(error) ?? ('code' in error ? String(error.code) : undefined)
}
