import * as z from 'zod/mini'

const server = z.object({
  guestUuid: z.string(),
  guestName: z.string(),
  serverName: z.nullable(z.string()),
  projectName: z.nullable(z.string()),
  pgpuAddresses: z.array(z.string()),
  mdevUuids: z.array(z.string()),
  /** Instead of the advice, a cold migration after the reboot gives the server new mdevs. */
  canMigrate: z.boolean(),
  /** `lost`: it can't start as it is; `unknown`: can't tell. */
  fate: z.enum(['lost', 'unknown', 'returns']),
  because: z.string(),
  /** What to do before the reboot; null: nothing. */
  advice: z.nullable(z.string()),
  command: z.nullable(z.string()),
  /** nova-compute starts it again after the reboot; null: not known, or the server does not run now. */
  isRestarted: z.nullable(z.boolean()),
})
export type RebootServer = z.infer<typeof server>

const preview = z.object({
  /** Whether nova-compute would start; null: can't tell. */
  novaCompute: z.object({ isStarting: z.nullable(z.boolean()), because: z.nullable(z.string()) }),
  servers: z.array(server),
  /** Unused mdevs that are recreated although nova.conf names another type. Null: nova.conf was not read. */
  unwanted: z.nullable(
    z.array(
      z.object({
        uuid: z.string(),
        parent: z.string(),
        pgpuAddress: z.nullable(z.string()),
        typeName: z.string(),
        because: z.string(),
        command: z.string(),
      }),
    ),
  ),
  /** Cards whose VFs something has to enable at every boot. */
  cardsThatNeedVfs: z.array(z.string()),
})
export type RebootPreviewDto = z.infer<typeof preview>

/** What a reboot of a host would do, server by server. */
export const hostRebootSchema = z.object({
  cloud: z.string(),
  host: z.string(),
  seenAt: z.nullable(z.string()),
  isSilent: z.boolean(),
  /** Nova's highest compute API version, from which its release is derived; null: not read. */
  novaVersion: z.nullable(z.string()),
  /** Version of nova-compute on the host, `31.0.0`, which counts before Nova's API; null: not reported. */
  computeVersion: z.nullable(z.string()),
  /** Null: the guests or mdevs of the host could not be read. */
  preview: z.nullable(preview),
})
export type HostReboot = z.infer<typeof hostRebootSchema>
