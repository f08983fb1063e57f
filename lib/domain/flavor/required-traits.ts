import type { FlavorRequest } from '@/lib/domain/fit/flavor-request'

/** `trait1:CUSTOM_X`: a trait belongs to the group of the resource whose provider has it. */
export const traitKey = (suffix: string, trait: string): string => `trait${suffix}:${trait}`

/** A request, with the classes of GPUs in it (gpuAmountsIn). */
type GpuRequest = { request: FlavorRequest; classes: readonly string[] }

/** The groups of a flavor that ask for GPUs, by their suffix; '' is the group without a number. */
const gpuSuffixes = ({ request, classes }: GpuRequest): string[] =>
  request.groups
    .filter(({ resources }) => classes.some((name) => resources[name] !== undefined))
    .map(({ suffix }) => suffix)

/**
 * The extra specs with which a flavor requires a trait of its GPUs: the key of each group that requests one, all
 * `required`. Empty if the flavor requests no GPU by a resource class, because no provider meets a trait without a
 * resource.
 */
export const requireTrait = (gpu: GpuRequest, trait: string): Record<string, string> =>
  Object.fromEntries(gpuSuffixes(gpu).map((suffix) => [traitKey(suffix, trait), 'required']))
