/** Amounts by class, as Placement counts them for a project. */
type Usages = Readonly<Record<string, number>>

/**
 * What Nova compares with the limit of a class such as `VCPU`: Placement's usage. With `[workarounds]
 * unified_limits_count_pcpu_as_vcpu` VCPU includes PCPU, unless the request has PCPU itself.
 * Source: nova/limit/placement.py _get_usage.
 */
export const usedOfClass = (
  usages: Usages,
  {
    name,
    countsPcpu,
    requested = [],
  }: {
    name: string
    /** The workaround is on. */
    countsPcpu: boolean
    /** Classes of the request; none: of a project without a request. */
    requested?: readonly string[]
  },
): number => {
  const used = usages[name] ?? 0
  return countsPcpu && name === 'VCPU' && !requested.includes('PCPU') ? used + (usages.PCPU ?? 0) : used
}
