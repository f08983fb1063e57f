import * as z from 'zod/mini'
import { trackedFindingSchema } from './finding'

const columns = ['hardware', 'novaConf', 'placement', 'libvirt'] as const

const known = z.object({ value: z.nullable(z.number()), reason: z.nullable(z.string()) })
/**
 * The value of a source in a row; value null: unknown, with the reason. The cell is null if the source has no such value.
 */
const cell = z.nullable(
  z.object({ value: z.nullable(z.union([z.string(), z.number()])), reason: z.nullable(z.string()) }),
)
const time = z.object({ at: z.nullable(z.string()), note: z.nullable(z.string()) })

/** Who holds a vGPU in Nova's and Keystone's words where they gave them, else in those of the guest's metadata. */
const cloudOccupantSchema = z.object({
  guestUuid: z.string(),
  guestName: z.string(),
  serverUuid: z.nullable(z.string()),
  serverName: z.nullable(z.string()),
  serverStatus: z.nullable(z.string()),
  projectId: z.nullable(z.string()),
  projectName: z.nullable(z.string()),
  flavorName: z.nullable(z.string()),
  source: z.enum(['nova', 'libvirt']),
})
export type CloudOccupantDto = z.infer<typeof cloudOccupantSchema>

/** The four sources on one pGPU, the odd cell marked. */
export const gpuSourcesSchema = z.object({
  cloud: z.string(),
  host: z.string(),
  address: z.string(),
  /** The last reading round of OpenStack; null: none yet, and then `sources` is null too. */
  readAt: z.nullable(z.string()),
  sources: z.nullable(
    z.object({
      rows: z.array(
        z.object({
          key: z.string(),
          label: z.string(),
          hardware: cell,
          novaConf: cell,
          placement: cell,
          libvirt: cell,
          disagree: z.nullable(z.object({ column: z.enum(columns), because: z.string() })),
        }),
      ),
      times: z.object({ hardware: time, novaConf: time, placement: time, libvirt: time }),
      advertised: z.object({
        total: known,
        used: known,
        free: known,
        classes: z.array(z.string()),
        traits: z.nullable(z.array(z.string())),
      }),
      stranded: z.extend(known, { because: z.nullable(z.string()) }),
      occupants: z.array(cloudOccupantSchema),
      /** Of nova-compute on the host; null with the reason when Nova does not know it. */
      service: z.object({
        status: z.nullable(z.string()),
        state: z.nullable(z.string()),
        disabledReason: z.nullable(z.string()),
        availabilityZone: z.nullable(z.string()),
        because: z.nullable(z.string()),
      }),
      /** Names of Nova's host aggregates; null: not read. */
      aggregates: z.nullable(z.array(z.string())),
      /** Resource providers of the card and of its VFs. */
      providers: z.array(
        z.object({ name: z.string(), uuid: z.string(), generation: z.int(), address: z.string() }),
      ),
    }),
  ),
  /** Of the pGPU and of its providers, open or acknowledged, most urgent first. */
  findings: z.array(trackedFindingSchema),
})
export type GpuSources = z.infer<typeof gpuSourcesSchema>
