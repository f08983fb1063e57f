import * as z from 'zod/mini'

/** Search box: guests, servers, hosts and pGPUs by part of a name, uuid or address. At most 20 of each. */
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
})
export type SearchResults = z.infer<typeof searchResultsSchema>
