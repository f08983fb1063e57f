import { Agent } from 'node:http'
import { gpuColumnsSchema } from '@/lib/schemas/api/gpu-columns'
import { apiPaths } from '@/lib/util/paths'
import { ask } from '../fleet/measure'
import { median } from '../quantile'

const TURNS = 50

/** The fleet page's answer, one client: whole and unchanged. Throws when a pGPU lacks its values of Placement. */
export const measurePage = async (
  address: string,
  pgpuCount: number,
): Promise<{ wholeMs: number; unchangedMs: number }> => {
  const url = new URL(apiPaths.gpus(), address)
  const { columns } = gpuColumnsSchema.parse(await (await fetch(url)).json())
  const known = columns.advertised.filter((total) => total !== null).length
  const used = columns.advertisedUsed.reduce((sum: number, each) => sum + (each ?? 0), 0)
  if (known !== pgpuCount || used !== pgpuCount / 2)
    throw new Error(`The page has values of Placement for ${known} of ${pgpuCount} pGPUs and ${used} in use.`)
  const agent = new Agent({ keepAlive: true })
  const etag = (await ask(url, { agent })).headers.etag ?? ''
  const time = async (headers: Record<string, string>, status: number): Promise<number> => {
    const answers = []
    for (let turn = 0; turn < TURNS; turn += 1) answers.push(await ask(url, { agent, headers }))
    const other = answers.find((answer) => answer.status !== status)
    if (other !== undefined) throw new Error(`The console answered ${other.status} instead of ${status}.`)
    return median(answers.map(({ ms }) => ms))
  }
  const measured = { wholeMs: await time({}, 200), unchangedMs: await time({ 'if-none-match': etag }, 304) }
  agent.destroy()
  return measured
}
