import * as z from 'zod'
import type { PreparedWorld } from './prepare-world'

const gpuRow = z.object({ host: z.string(), address: z.string() })
export type ChosenGpu = z.infer<typeof gpuRow>

// SQL: cards of one model on hosts that send heartbeats, which one plan may contain.
const CHOOSE = `
SELECT h.name AS host, p.address FROM host h JOIN pgpu p ON p.host_id = h.id
WHERE p.model = 'NVIDIA Tesla T4' AND h.seen_at > now() - interval '1 day' ORDER BY h.name, p.address`

export const chooseGpus = async ({ bench }: PreparedWorld): Promise<ChosenGpu[]> => {
  const database = await bench.open()
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
