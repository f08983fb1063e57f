import 'server-only'
import type { Prisma } from '../prisma-client/client'

/** A value for a JSON column, as `JSON.stringify` writes it. */
export const jsonValue = (value: object): Prisma.InputJsonValue => JSON.parse(JSON.stringify(value))
