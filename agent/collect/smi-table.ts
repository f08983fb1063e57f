import { canonicalAddress } from './identifiers'

/** One vGPU row of the table that `nvidia-smi vgpu` prints; the guest's uuid is cut off there. */
type SmiTableVgpu = { vgpuId: string; typeName: string | null; guestName: string | null }

export type SmiTable = {
  driverVersion: string | null
  gpus: { address: string; name: string; vgpus: SmiTableVgpu[] }[]
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/**
 * Reads the table form, `|   6  Tesla T4   | 00000000:F4:00.0 |   0% |` with the vGPUs of a GPU in the rows below it,
 * `| 3251634254  GRID T4-16C | dcae...  instance-00000004 | 0% |`. Long names are cut by nvidia-smi.
 */
export const parseSmiTable = (text: string): SmiTable => {
  const gpus: SmiTable['gpus'] = []
  for (const line of text.split('\n')) {
    const [left = '', middle = ''] = cellsOf(line)
    const row = /^(\d+)\s+(\S.*)$/.exec(left)
    if (row === null) continue
    const [, number = '', name = ''] = row
    const address = canonicalAddress(middle)
    if (address !== null) gpus.push({ address, name, vgpus: [] })
    else {
      const guestName = /^\S+\s+(\S+)$/.exec(middle)?.[1] ?? null
      gpus.at(-1)?.vgpus.push({ vgpuId: number, typeName: name, guestName })
    }
  }
  return { driverVersion: /Driver Version:\s*(\d[\w.]*)/.exec(text)?.[1] ?? null, gpus }
}
