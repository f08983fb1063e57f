import { traitKey } from './required-traits'

/** Of a flavor with several vGPUs: each of another provider, or wherever they are free. */
type GroupPolicy = 'isolate' | 'none'

/** What a flavor should give its servers of GPUs, as a person chooses it. */
export type GpuInput =
  | {
      kind: 'vgpu'
      /** `VGPU`, or the custom class of an mdev type. */
      resourceClass: string
      /** The trait of the providers of the requested type; null: the class alone identifies the type. */
      trait: string | null
      count: number
      groupPolicy: GroupPolicy
    }
  | { kind: 'pci'; alias: string; count: number }

type SpecsInput = {
  gpu: GpuInput | null
  /** Properties that a host's aggregates must have. */
  aggregateProperties: Readonly<Record<string, string>>
  /** Manual input, which takes precedence. */
  more: Readonly<Record<string, string>>
}

/** Nova's scheduler compares them where AggregateInstanceExtraSpecsFilter is enabled. */
const AGGREGATE_SCOPE = 'aggregate_instance_extra_specs'

/** Several vGPUs of one server must come from different providers (bug 1758086), so each has a separate group. */
const vgpuSpecs = ({
  resourceClass,
  trait,
  count,
  groupPolicy,
}: Extract<GpuInput, { kind: 'vgpu' }>): [string, string][] => {
  const suffixes = count === 1 ? [''] : Array.from({ length: count }, (_, index) => String(index + 1))
  return [
    ...suffixes.flatMap((suffix): [string, string][] => [
      [`resources${suffix}:${resourceClass}`, '1'],
      ...(trait === null ? [] : [[traitKey(suffix, trait), 'required'] as [string, string]]),
    ]),
    // Placement refuses two groups without it, and Nova only warns.
    ...(count === 1 ? [] : [['group_policy', groupPolicy] as [string, string]]),
  ]
}

const gpuSpecs = (gpu: GpuInput | null): [string, string][] => {
  if (gpu === null) return []
  return gpu.kind === 'pci' ? [['pci_passthrough:alias', `${gpu.alias}:${gpu.count}`]] : vgpuSpecs(gpu)
}

/** The extra specs with which a flavor requests properties of a host's aggregates. */
export const aggregateSpecs = (properties: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [`${AGGREGATE_SCOPE}:${key}`, value]))

/**
 * The extra specs of a flavor: one vGPU as `resources:VGPU=1`, several as `resources1:VGPU`, `resources2:VGPU` and
 * `group_policy`, the trait with the suffix of its resource. Source: nova/api/validation/extra_specs.
 */
export const buildExtraSpecs = ({ gpu, aggregateProperties, more }: SpecsInput): Record<string, string> => ({
  ...Object.fromEntries(gpuSpecs(gpu)),
  ...aggregateSpecs(aggregateProperties),
  ...more,
})
