import { deviceSpecText } from '@/lib/domain/nova-config/device-spec'
import { listedIn } from '@/lib/domain/nova-config/listed-functions'
import type { PgpuFacts } from './pgpu-facts'
import type { DeviceSpecLine } from './types'

/** The entries of `[pci] device_spec` that hand a card or VFs of it out, in nova.conf's order. */
export const deviceSpecLines = ({ gpu, nova }: Pick<PgpuFacts, 'gpu' | 'nova'>): DeviceSpecLine[] => {
  const specs = nova?.deviceSpecs.specs ?? []
  const listed = listedIn(specs, gpu)
  return specs.flatMap((spec) => {
    const functions = listed.filter((one) => one.spec === spec).map(({ address }) => address)
    return functions.length === 0 ? [] : [{ text: deviceSpecText(spec), source: spec.source, functions }]
  })
}
