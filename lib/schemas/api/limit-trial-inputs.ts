import * as z from 'zod'

const id = (what: string) => z.string(`${what} is missing`).trim().min(1, `${what} is missing`).max(255)

export const tryLimitSchema = z.object({ flavorId: id('The flavor'), imageId: id('The image') })
export type TryLimit = z.input<typeof tryLimitSchema>
