import * as z from 'zod/mini'

/** Search box: what matches a part of a name, uuid, address, title or number. At most 20 of each kind. */
export const searchResultsSchema = z.object({
  hosts: z.array(z.string()),
  gpus: z.array(z.object({ host: z.string(), address: z.string(), model: z.string() })),
  guests: z.array(
    z.object({
      host: z.string(),
      uuid: z.string(),
      name: z.string(),
      serverName: z.nullable(z.string()),
      projectName: z.nullable(z.string()),
      pgpuAddresses: z.array(z.string()),
    }),
  ),
  /** GPU flavors by name or id. */
  flavors: z.array(z.object({ id: z.string(), name: z.string() })),
  /** vGPU types that a GPU has, by name or id (`nvidia-222`). */
  types: z.array(z.object({ typeId: z.string(), name: z.string() })),
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Findings that are not resolved, by title, sentence, host or number. */
  findings: z.array(z.object({ id: z.int(), title: z.string(), sentence: z.string() })),
  /** By title or number. */
  changes: z.array(z.object({ id: z.int(), title: z.string(), state: z.string() })),
})
export type SearchResults = z.infer<typeof searchResultsSchema>
