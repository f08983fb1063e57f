import * as z from 'zod'
import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { DEBIAN, type Oracle, openOracle } from '../harness/open-oracle'

/** One process for each module, of Debian's own Nova. */
export const openNova = (module: string): Oracle => openOracle(module, DEBIAN)

const answerSchema = z.object({ value: z.string() })

/** The release of the functions, as Nova reports it. */
export const askRelease = async (oracle: Oracle): Promise<{ version: string; range: NovaRange }> => {
  const { value: version } = answerSchema.parse(await oracle.call('version', null))
  const release = Number.parseInt(version, 10)
  return { version, range: { min: release, max: release } }
}
