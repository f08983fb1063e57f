import type { GpuColumns } from '@/lib/schemas/api/gpu-columns'

type Card = {
  host: string
  address: string
  model?: string
  framework?: string
  type?: string | null
  range?: [number, number] | null
  capacity?: number | null
  used?: number | null
  spare?: number | null
  orphan?: number | null
  returning?: number | null
  creatable?: number | null
  finding?: GpuColumns['findings'][number] | null
  reason?: string | null
  advertised?: number | null
  advertisedUsed?: number | null
  stranded?: number | null
  strandedReason?: string | null
  service?: GpuColumns['services'][number] | null
  aggregates?: string[] | null
}

const collect = <Value>() => {
  const positions = new Map<string, number>()
  const values: Value[] = []
  const put = (value: Value): number => {
    const key = JSON.stringify(value)
    const before = positions.get(key)
    if (before !== undefined) return before
    positions.set(key, values.length)
    return values.push(value) - 1
  }
  return {
    values,
    put,
    putMaybe: (value: Value | null): number | null => (value === null ? null : put(value)),
  }
}

/** A fleet as the server sends it, from a few words per card. */
export const makeColumns = (cards: readonly Card[]): GpuColumns => {
  const hosts = collect<string>()
  const addresses = collect<string>()
  const models = collect<string>()
  const types = collect<GpuColumns['types'][number]>()
  const frameworks = collect<string>()
  const ranges = collect<[number, number]>()
  const findings = collect<GpuColumns['findings'][number]>()
  const reasons = collect<string>()
  const strandedReasons = collect<string>()
  const services = collect<GpuColumns['services'][number]>()
  const aggregateSets = collect<string[]>()
  const pick = <Value>(of: (card: Card) => Value): Value[] => cards.map(of)
  const columns = {
    hostIndex: pick(({ host }) => hosts.put(host)),
    addressIndex: pick(({ address }) => addresses.put(address)),
    modelIndex: pick(({ model = 'NVIDIA T4' }) => models.put(model)),
    frameworkIndex: pick(({ framework = 'mdev' }) => frameworks.put(framework)),
    typeIndex: pick(({ type = 'T4-4Q' }) =>
      types.putMaybe(
        type === null ? null : { typeId: `nvidia-${type}`, shortName: type, framebufferMib: 4096 },
      ),
    ),
    rangeIndex: pick(({ range = null }) => ranges.putMaybe(range)),
    numaNode: pick(() => 0),
    framebufferMib: pick(() => 16_384),
    capacity: pick(({ capacity = 4 }) => capacity),
    used: pick(({ used = 0 }) => used),
    spare: pick(({ spare = 0 }) => spare),
    orphan: pick(({ orphan = 0 }) => orphan),
    returning: pick(({ returning = 0 }) => returning),
    creatable: pick(({ creatable = 0 }) => creatable),
    findingIndex: pick(({ finding = null }) => findings.putMaybe(finding)),
    reasonIndex: pick(({ reason = null }) => reasons.putMaybe(reason)),
    advertised: pick(({ advertised = null }) => advertised),
    advertisedUsed: pick(({ advertisedUsed = null }) => advertisedUsed),
    stranded: pick(({ stranded = null }) => stranded),
    strandedReasonIndex: pick(({ strandedReason = null }) => strandedReasons.putMaybe(strandedReason)),
    serviceIndex: pick(({ service = null }) => services.putMaybe(service)),
    aggregateSetIndex: pick(({ aggregates = null }) => aggregateSets.putMaybe(aggregates)),
  }
  return {
    cloud: 'paris-prod',
    version: 'v1',
    hosts: hosts.values,
    addresses: addresses.values,
    models: models.values,
    types: types.values,
    frameworks: frameworks.values,
    ranges: ranges.values,
    findings: findings.values,
    reasons: reasons.values,
    strandedReasons: strandedReasons.values,
    services: services.values,
    aggregateSets: aggregateSets.values,
    columns,
  }
}
