import * as z from 'zod/mini'

const pci = z.object({
  isInPlacement: z.boolean(),
  specs: z.array(z.object({ text: z.string(), source: z.string(), pgpus: z.array(z.string()) })),
  aliases: z.array(
    z.object({
      name: z.string(),
      /** `10de:1024, type-PCI`. */
      means: z.string(),
      source: z.string(),
      /** pGPUs of this host. */
      takes: z.array(z.string()),
      /** What Nova's API has under that name. */
      onApi: z.enum(['same', 'differs', 'absent', 'unknown']),
    }),
  ),
  /** pGPUs that device_spec offers and that no alias of this host matches. */
  withoutAlias: z.array(z.string()),
})
export type HostPciReport = z.infer<typeof pci>

/** PCI passthrough as one host and Nova's API have it configured. */
export const hostPciSchema = z.object({
  cloud: z.string(),
  host: z.string(),
  isSilent: z.boolean(),
  /** Null: nova.conf of the host could not be read whole. */
  pci: z.nullable(pci),
  api: z.object({
    hosts: z.array(
      z.object({
        host: z.string(),
        isSelf: z.boolean(),
        aliases: z.array(z.object({ name: z.string(), means: z.string(), source: z.string() })),
      }),
    ),
    /** Why the API's aliases are not known for sure; null: they are. */
    because: z.nullable(z.string()),
    /** The command to check it manually. */
    check: z.string(),
  }),
})
export type HostPci = z.infer<typeof hostPciSchema>
