import * as z from 'zod/mini'

/** `items` null: it could not be read; `problem` then has the reason in one sentence. A list that is cut off has both. */
const choicesOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ items: z.nullable(z.array(item)), problem: z.nullable(z.string()) })

/** What the caller can create a server of one flavor from, as OpenStack lists it for the caller's own token. */
export const serverChoicesSchema = z.object({
  images: choicesOf(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Of the own project. */
      isOwn: z.boolean(),
      /** Why Nova would refuse it: `needs a disk of 64 GiB`. */
      problem: z.nullable(z.string()),
    }),
  ),
  networks: choicesOf(z.object({ id: z.string(), name: z.string(), problem: z.nullable(z.string()) })),
  /** Names; of the person, not of the project. */
  keyPairs: choicesOf(z.string()),
  securityGroups: choicesOf(z.object({ id: z.string(), name: z.string() })),
  /** What one server of the flavor adds. Memory in MiB. */
  quota: choicesOf(
    z.object({
      /** `class:VGPU`, `servers`. */
      resourceName: z.string(),
      needs: z.number(),
      /** Null: no limit. */
      limit: z.nullable(z.number()),
      /** Null: not known now. */
      used: z.nullable(z.number()),
    }),
  ),
})
export type ServerChoices = z.infer<typeof serverChoicesSchema>

/** Nova has accepted it; whether it comes up shows its status. */
export const createdServerSchema = z.object({ uuid: z.string(), name: z.string() })
export type CreatedServer = z.infer<typeof createdServerSchema>

/** A server that was just created, as Nova reports it to its owner. */
export const newServerStatusSchema = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Nova's: `BUILD`, `ACTIVE`, `ERROR`. */
  status: z.string(),
  /** Nova's reason for ERROR; null: none. */
  fault: z.nullable(z.string()),
})
export type NewServerStatus = z.infer<typeof newServerStatusSchema>
