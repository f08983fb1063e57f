import { type GpuStore, gpuKey, UNKNOWN } from './gpu-store'

export const HOLDINGS = ['used', 'spare', 'orphan', 'free', 'unknown', 'silent'] as const
export type Holding = (typeof HOLDINGS)[number]

/** What the list is narrowed to. Empty lists and null do not narrow. */
export type GpuFilter = {
  /** Words that must each stand in host, address, model or type; or the name of a server, see `serverGpus`. */
  text: string
  models: readonly string[]
  /** Type ids; `none` is a card without a type. */
  types: readonly string[]
  frameworks: readonly string[]
  /** `any`: with a finding; else its code. */
  finding: string | null
  holding: Holding | null
}

/** In `types`: a card without a type. */
export const NO_TYPE = 'none'

type Surroundings = {
  silentHosts: ReadonlySet<string>
  /** `gpuKey`s of the pGPUs that servers with a matching name use; the browser does not hold those names. */
  serverGpus: ReadonlySet<string>
}

const maskOf = <Entry>(entries: readonly Entry[], isIn: (entry: Entry) => boolean): Uint8Array =>
  Uint8Array.from(entries, (entry) => (isIn(entry) ? 1 : 0))

type Test = (row: number) => boolean

const byDictionary =
  (mask: Uint8Array, column: Int32Array, whenUnknown = false): Test =>
  (row) => {
    const index = column[row] ?? UNKNOWN
    return index === UNKNOWN ? whenUnknown : mask[index] === 1
  }

const wordTests = ({ data, columns }: GpuStore, text: string): Test[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => {
      const has = (entry: string) => entry.toLowerCase().includes(word)
      const host = maskOf(data.hosts, has)
      const address = maskOf(data.addresses, has)
      const model = maskOf(data.models, has)
      const type = maskOf(data.types, ({ typeId, shortName }) => has(typeId) || has(shortName))
      const typeTest = byDictionary(type, columns.typeIndex)
      return (row) =>
        host[columns.hostIndex[row] ?? 0] === 1 ||
        address[columns.addressIndex[row] ?? 0] === 1 ||
        model[columns.modelIndex[row] ?? 0] === 1 ||
        typeTest(row)
    })

const textTest = (store: GpuStore, text: string, serverGpus: ReadonlySet<string>): Test | null => {
  const words = wordTests(store, text)
  if (words.length === 0) return null
  const { data, columns } = store
  const isServers = (row: number) => {
    const host = data.hosts[columns.hostIndex[row] ?? 0] ?? ''
    return serverGpus.has(gpuKey(host, data.addresses[columns.addressIndex[row] ?? 0] ?? ''))
  }
  const serverHosts = new Set([...serverGpus].map((key) => key.slice(0, key.indexOf(' '))))
  const hasServer = maskOf(data.hosts, (host) => serverHosts.has(host))
  return (row) =>
    words.every((isMatch) => isMatch(row)) || (hasServer[columns.hostIndex[row] ?? 0] === 1 && isServers(row))
}

/** A pGPU with an unknown number. */
const isUnknownAt = ({ columns }: GpuStore, row: number): boolean =>
  columns.capacity[row] === UNKNOWN ||
  columns.used[row] === UNKNOWN ||
  columns.spare[row] === UNKNOWN ||
  columns.orphan[row] === UNKNOWN ||
  columns.returning[row] === UNKNOWN ||
  columns.creatable[row] === UNKNOWN

const holdingTest = (store: GpuStore, holding: Holding, silentHosts: ReadonlySet<string>): Test => {
  const { data, columns } = store
  if (holding === 'silent') {
    return byDictionary(
      maskOf(data.hosts, (host) => silentHosts.has(host)),
      columns.hostIndex,
    )
  }
  if (holding === 'unknown') return (row) => isUnknownAt(store, row)
  const column = columns[holding === 'free' ? 'creatable' : holding]
  return (row) => (column[row] ?? 0) > 0
}

const testsOf = (store: GpuStore, filter: GpuFilter, { silentHosts, serverGpus }: Surroundings): Test[] => {
  const { data, columns } = store
  const { models, types, frameworks, finding, holding } = filter
  const tests: (Test | null)[] = [
    models.length === 0
      ? null
      : byDictionary(
          maskOf(data.models, (model) => models.includes(model)),
          columns.modelIndex,
        ),
    types.length === 0
      ? null
      : byDictionary(
          maskOf(data.types, ({ typeId }) => types.includes(typeId)),
          columns.typeIndex,
          types.includes(NO_TYPE),
        ),
    frameworks.length === 0
      ? null
      : byDictionary(
          maskOf(data.frameworks, (framework) => frameworks.includes(framework)),
          columns.frameworkIndex,
        ),
    finding === null
      ? null
      : byDictionary(
          maskOf(data.findings, ({ code }) => finding === 'any' || code === finding),
          columns.findingIndex,
        ),
    holding === null ? null : holdingTest(store, holding, silentHosts),
    textTest(store, filter.text, serverGpus),
  ]
  return tests.filter((test) => test !== null)
}

/** Rows that pass, by host and address. */
export const filterGpus = (store: GpuStore, filter: GpuFilter, surroundings: Surroundings): Int32Array => {
  const tests = testsOf(store, filter, surroundings)
  if (tests.length === 0) return store.baseOrder
  const rows = new Int32Array(store.count)
  let found = 0
  for (const row of store.baseOrder) {
    let isIn = true
    for (const test of tests) {
      if (test(row)) continue
      isIn = false
      break
    }
    if (isIn) rows[found++] = row
  }
  return rows.subarray(0, found)
}
