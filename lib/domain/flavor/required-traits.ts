import type { FlavorRequest } from '@/lib/domain/fit/flavor-request'

/** `trait1:CUSTOM_X`: a trait stands in the group of the resource whose provider carries it. */
export const traitKey = (suffix: string, trait: string): string => `trait${suffix}:${trait}`

/** A request, with the classes of GPUs in it (gpuAmountsIn). */
type GpuRequest = { request: FlavorRequest; classes: readonly string[] }

/** The groups of a flavor that ask for GPUs, by their suffix; '' is the group without a number. */
const gpuSuffixes = ({ request, classes }: GpuRequest): string[] =>
  request.groups
    .filter(({ resources }) => classes.some((name) => resources[name] !== undefined))
    .map(({ suffix }) => suffix)

/**
 * What makes a flavor require a trait of its GPUs: the key of each group that asks for one, all `required`. Empty when the
 * flavor asks for no GPU by a resource class; a trait without a resource beside it is met by nothing.
 */
export const requireTrait = (gpu: GpuRequest, trait: string): Record<string, string> =>
  Object.fromEntries(gpuSuffixes(gpu).map((suffix) => [traitKey(suffix, trait), 'required']))
