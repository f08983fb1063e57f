import * as z from 'zod'
import type { PreparedWorld } from './prepare-world'

const gpuRow = z.object({ host: z.string(), address: z.string() })
export type ChosenGpu = z.infer<typeof gpuRow>

// SQL: cards of one model on hosts that send heartbeats, which one plan may contain.
const CHOOSE = `
SELECT h.name AS host, p.address FROM host h JOIN pgpu p ON p.host_id = h.id
WHERE p.model = 'NVIDIA Tesla T4' AND h.seen_at > now() - interval '1 day' ORDER BY h.name, p.address`

// SQL: silent hosts with the model report again, because the other hosts have fewer than 1,000 cards of any model.
const REVIVE = `
UPDATE host SET seen_at = now(), taken_at = now()
WHERE id IN (SELECT host_id FROM pgpu WHERE model = 'NVIDIA Tesla T4')`

export const chooseGpus = async ({ bench }: PreparedWorld): Promise<ChosenGpu[]> => {
  const database = await bench.open()
  await database.query(REVIVE)
  const gpus = await database.query(CHOOSE, [], gpuRow)
  await database.close()
  return gpus
}

/** GRID T4-2Q. */
const WANTED_TYPE = 'nvidia-231'

export const typeChangeOf = (gpus: readonly ChosenGpu[]) => ({
  gpus,
  typeId: WANTED_TYPE,
  resourceClass: null,
  isFlavorLossAccepted: true,
})
