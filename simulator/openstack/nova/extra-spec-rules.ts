import { ApiError } from '../http/api-error'

type Rule = { name: RegExp; isValid: (value: string) => string | null }

const SUFFIX = '([a-zA-Z0-9_-]{1,64})?'

const oneOf =
  (...allowed: string[]) =>
  (value: string): string | null =>
    allowed.includes(value) ? null : `'${value}' is not one of: ${allowed.join(', ')}.`

const wholeNumber =
  (minimum: number) =>
  (value: string): string | null => {
    if (!/^[+-]?\d+$/.test(value.trim())) return `'${value}' is not a valid integer value.`
    return Number(value) < minimum ? `'${value}' is less than the min value of '${minimum}'.` : null
  }

const booleanLike = (value: string): string | null =>
  /^(1|t|true|on|y|yes|0|f|false|off|n|no)$/i.test(value)
    ? null
    : `'${value}' is not a valid boolean-like value.`

const anything = (): null => null

const ALIAS = /^[^:]+:\d+(?:\s*,\s*[^:]+:\d+)*$/

/** Those that GPUs need; others of a known namespace are refused as unknown (nova/api/validation/extra_specs). */
const RULES: Rule[] = [
  { name: new RegExp(`^resources${SUFFIX}:(CUSTOM_[A-Z0-9_]+|[A-Z0-9_]+)$`), isValid: wholeNumber(0) },
  { name: new RegExp(`^trait${SUFFIX}:[A-Z0-9_]+$`), isValid: oneOf('required', 'forbidden') },
  { name: /^group_policy$/, isValid: oneOf('isolate', 'none') },
  {
    name: /^pci_passthrough:alias$/,
    isValid: (value) => (ALIAS.test(value) ? null : `'${value}' is not of the format '${ALIAS.source}'.`),
  },
  { name: /^hide_hypervisor_id$/, isValid: booleanLike },
  { name: /^hw:cpu_policy$/, isValid: oneOf('dedicated', 'mixed', 'shared') },
  { name: /^hw:numa_nodes$/, isValid: wholeNumber(1) },
  { name: /^hw:mem_page_size$/, isValid: anything },
  { name: /^hw:hide_hypervisor_id$/, isValid: booleanLike },
  {
    name: /^hw:pci_numa_affinity_policy$/,
    isValid: oneOf('required', 'preferred', 'legacy', 'socket'),
  },
]

const KNOWN_NAMESPACE = new RegExp(
  `^(resources${SUFFIX}|trait${SUFFIX}|pci_passthrough|hw|accel|os|hw_rng|hw_video|quota|vmware|powervm)$`,
)

/** From 2.86 on Nova refuses unknown keys of namespaces that it knows, and values out of their range. */
export const checkExtraSpec = (name: string, value: string): void => {
  const rule = RULES.find((each) => each.name.test(name))
  if (rule !== undefined) {
    const problem = rule.isValid(value)
    if (problem !== null) throw new ApiError(400, `Validation failed; ${problem}`)
    return
  }
  if (!name.includes(':') || !KNOWN_NAMESPACE.test(name.split(':')[0] ?? '')) return
  throw new ApiError(400, `Validation failed; extra spec '${name}' does not appear to be a valid extra spec.`)
}
