import { formatMib, formatNoun } from '@/lib/util/format'
import { type FlavorLike, type FlavorRequest, gpuAmounts } from './flavor-request'

const orText = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** More types in one sentence would not be readable. */
const MAX_TYPES = 3

/** A type that a request can get, with the driver's values of one vGPU; null: not reported. */
export type WordedType = { name: string; framebufferMib: number | null; heads: number | null }

/** Of one type: `: 4 GiB, up to 4 displays`, of several vGPUs `, each 4 GiB, up to 4 displays`. */
const sizeOf = (types: readonly WordedType[], amount: number): string => {
  const [type] = types
  if (type === undefined || types.length > 1) return ''
  const { framebufferMib, heads } = type
  const words = [
    ...(framebufferMib === null ? [] : [formatMib(framebufferMib)]),
    ...(heads === null ? [] : [`up to ${formatNoun(heads, 'display')}`]),
  ]
  return words.length === 0 ? '' : `${amount > 1 ? ', each' : ':'} ${words.join(', ')}`
}

const gpuText = (
  request: FlavorRequest,
  typeNames: readonly string[],
  gpus: ReadonlyMap<string, number>,
): string[] => {
  const types =
    typeNames.length === 0 || typeNames.length > MAX_TYPES ? '' : ` of ${orText(typeNames.toSorted())}`
  const classes = [...gpuAmounts(request)].map(([name, amount]) =>
    name === 'VGPU' || (types !== '' && gpus.has(name))
      ? `${formatNoun(amount, 'vGPU')}${types}`
      : `${amount} of ${name}`,
  )
  const aliases = request.aliases.map(({ name, count }) => `${formatNoun(count, 'PCI device')} ${name}`)
  return [...classes, ...aliases]
}

/**
 * A flavor's request as text: `1 vGPU of T4-4C: 4 GiB, up to 1 display; 8 vCPUs, 32 GiB`. `types`: those that it can get,
 * which are left out if there are none or too many; the size is that of each vGPU. `gpus`: the amounts of the classes
 * that are GPUs in its cloud (gpuAmountsIn); other custom classes are named as they are.
 */
export const requestText = (
  flavor: Pick<FlavorLike, 'vcpus' | 'memoryMib'>,
  request: FlavorRequest,
  types: readonly WordedType[],
  gpuAmountsOfCloud: ReadonlyMap<string, number>,
): string => {
  const gpus = gpuText(
    request,
    types.map(({ name }) => name),
    gpuAmountsOfCloud,
  ).join(', ')
  const amount = [...gpuAmountsOfCloud.values()].reduce((sum, count) => sum + count, 0)
  const size = sizeOf(types, amount)
  const plain = `${formatNoun(flavor.vcpus, 'vCPU')}, ${formatMib(flavor.memoryMib)}`
  if (gpus === '') return plain
  return size === '' ? `${gpus}, ${plain}` : `${gpus}${size}; ${plain}`
}
