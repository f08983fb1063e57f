import { plural, sizeText } from '@/lib/domain/wording'
import { type FlavorLike, type FlavorRequest, gpuAmounts } from './flavor-request'

const orText = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** More types than this in one sentence tell nobody anything. */
const MOST_TYPES = 3

const gpuWords = (request: FlavorRequest, typeNames: readonly string[]): string[] => {
  const types =
    typeNames.length === 0 || typeNames.length > MOST_TYPES ? '' : ` of ${orText(typeNames.toSorted())}`
  const classes = [...gpuAmounts(request)].map(([name, amount]) =>
    name === 'VGPU' || types !== '' ? `${plural(amount, 'vGPU', 'vGPUs')}${types}` : `${amount} of ${name}`,
  )
  const aliases = request.aliases.map(
    ({ name, count }) => `${plural(count, 'PCI device', 'PCI devices')} ${name}`,
  )
  return [...classes, ...aliases]
}

/**
 * What a flavor asks for in plain words: `1 vGPU of T4-4C, 8 vCPUs, 32 GiB`. `typeNames`: the types that it reaches, which are
 * left out when there are none or too many.
 */
export const requestWords = (
  flavor: Pick<FlavorLike, 'vcpus' | 'memoryMib'>,
  request: FlavorRequest,
  typeNames: readonly string[],
): string =>
  [...gpuWords(request, typeNames), plural(flavor.vcpus, 'vCPU', 'vCPUs'), sizeText(flavor.memoryMib)].join(
    ', ',
  )

/** Whether a flavor asks for a GPU at all: by a resource class of GPUs, or by the alias of a PCI device. */
export const asksForGpu = (request: FlavorRequest): boolean =>
  gpuAmounts(request).size > 0 || request.aliases.length > 0
