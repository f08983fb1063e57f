import type { Flavor } from '@/lib/domain/cloud/types'
import { pythonInt } from '@/lib/domain/nova-config/python-values'
import { STANDARD_CLASSES } from '@/lib/domain/nova-config/standard-classes'
import { editDistance } from '@/lib/util/edit-distance'
import { pythonStrip } from '@/lib/util/python-strip'
import { isGpuClass, RESOURCE_KEY, TRAIT_KEY } from './extra-spec-keys'

/** An extra spec that does not request what it names. */
export type SpecProblem = {
  key: string
  value: string
  because: string
  /** `ignored`: servers start without it. `refused`: Nova creates no server of the flavor. */
  effect: 'ignored' | 'refused'
  /** What was probably meant; null: not clear. */
  instead: { key: string; value: string } | null
  /** Another program may use this key, so it is only a hint. */
  isGuess: boolean
}

type Spec = { key: string; value: string }
type Found = Pick<SpecProblem, 'because' | 'instead'> & Partial<Pick<SpecProblem, 'effect' | 'isGuess'>>

const GPU_NAME = /^(v|p)?gpus?$/i
const ALIAS_KEY = 'pci_passthrough:alias'
const POLICY_KEY = 'hw:pci_numa_affinity_policy'
const POLICIES = ['required', 'legacy', 'preferred', 'socket']

/** The class that a misspelled name probably means. */
const meantClass = (name: string): string | null => {
  const upper = name
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
  if (STANDARD_CLASSES.has(upper) || /^CUSTOM_./.test(upper)) return upper
  if (GPU_NAME.test(upper)) return upper.startsWith('P') ? 'PGPU' : 'VGPU'
  return [...STANDARD_CLASSES].find((known) => editDistance(known, upper) === 1) ?? null
}

const meantAmount = (value: string): string => {
  const amount = Number(/\d+/.exec(value)?.[0] ?? 1)
  return String(Math.max(1, amount))
}

/** `resources…:`, as Nova reads it (nova/objects/request_spec.py RequestGroup.add_resource). */
const resourceProblem = ({ key, value }: Spec): Found | null => {
  const match = RESOURCE_KEY.exec(key)
  if (match === null) return null
  const [, suffix = '', name = ''] = match
  if (!name.startsWith('CUSTOM_') && !STANDARD_CLASSES.has(name)) {
    const meant = meantClass(name)
    return {
      because: `${name} is not a standard resource class, and custom classes begin with CUSTOM_`,
      instead: meant === null ? null : { key: `resources${suffix}:${meant}`, value: meantAmount(value) },
    }
  }
  const amount = pythonInt(value)
  if (amount === null || amount < 0)
    return { because: 'the amount must be a whole number', instead: { key, value: meantAmount(value) } }
  return amount === 0 && isGpuClass(name)
    ? { because: 'the amount 0 requests nothing', instead: { key, value: '1' } }
    : null
}

/** `trait…:` (RequestGroup.add_trait). */
const traitProblem = ({ key, value }: Spec): Found | null =>
  TRAIT_KEY.test(key) && value !== 'required' && value !== 'forbidden'
    ? { because: 'only required and forbidden are known', instead: { key, value: 'required' } }
    : null

type AliasEntry = { name: string; count: number | null }

const ALIAS_COUNT_RULE = 'each entry must be NAME:COUNT'

/** nova/pci/request.py _translate_alias_to_requests: exactly one colon, and a count that int() reads. */
const aliasEntries = (value: string): AliasEntry[] =>
  value.split(',').map((entry) => {
    const [name = '', count, ...rest] = entry.split(':')
    return {
      name: pythonStrip(name),
      count: count === undefined || rest.length > 0 ? null : pythonInt(count),
    }
  })

/** The entries that Nova can read. */
export const readAliases = (value: string | undefined): { name: string; count: number }[] =>
  value === undefined
    ? []
    : aliasEntries(value).flatMap(({ name, count }) =>
        name === '' || count === null || count < 1 ? [] : [{ name, count }],
      )

/** `gpu`, `gpu=1`, `gpu:1,`: with a count of 1 where none can be read. */
const meantAliases = (value: string): string | null => {
  const entries = value
    .split(/[,;]/)
    .map((entry) => /^([^:=\s]+)\s*[:=\s]?\s*(\d+)?\s*$/.exec(entry.trim()))
    .filter((match) => match !== null)
    .map(([, name, count]) => `${name}:${meantAmount(count ?? '1')}`)
  return entries.length === 0 ? null : entries.join(',')
}

const aliasProblem = ({ key, value }: Spec): Found | null => {
  if (key !== ALIAS_KEY) return null
  const entries = aliasEntries(value)
  const meant = meantAliases(value)
  const instead = meant === null ? null : { key, value: meant }
  if (entries.some(({ name, count }) => name === '' || count === null))
    return { because: ALIAS_COUNT_RULE, effect: 'refused', instead }
  return entries.some(({ count }) => (count ?? 1) < 1)
    ? { because: 'a count below 1 requests nothing', instead }
    : null
}

/** nova/virt/hardware.py get_pci_numa_policy_constraint. */
const policyProblem = ({ key, value }: Spec): Found | null => {
  if (key !== POLICY_KEY || value === '' || POLICIES.includes(value)) return null
  const meant = POLICIES.find((policy) => editDistance(policy, value.trim().toLowerCase()) <= 2)
  return {
    because: `the policy must be one of ${POLICIES.join(', ')}`,
    effect: 'refused',
    instead: meant === undefined ? null : { key, value: meant },
  }
}

const isLike = (text: string, word: string, distance: number): boolean =>
  Math.abs(text.length - word.length) <= distance && editDistance(text.toLowerCase(), word) <= distance

/** `hw:pci_numa_policy`, `hw:pci_numa_affinity`, `hw:numa_affinity_policy`, without their signs. */
const SHORT_POLICY = /^hw(pcinuma(policy|affinity)|numaaffinitypolicy)$/

/** A key that Nova does not read, but whose namespace is a misspelled one of Nova's. */
const misspelledProblem = ({ key, value }: Spec): Found | null => {
  if (RESOURCE_KEY.test(key) || TRAIT_KEY.test(key) || key === ALIAS_KEY || key === POLICY_KEY) return null
  const squeezed = key.toLowerCase().replace(/[^a-z]/g, '')
  if (isLike(squeezed, 'pcipassthroughalias', 3) || squeezed === 'pcialias')
    return {
      because: `Nova reads only ${ALIAS_KEY}`,
      instead: { key: ALIAS_KEY, value: meantAliases(value) ?? value },
    }
  if (isLike(squeezed, 'hwpcinumaaffinitypolicy', 3) || SHORT_POLICY.test(squeezed))
    return { because: `Nova reads only ${POLICY_KEY}`, instead: { key: POLICY_KEY, value } }
  const parts =
    /^\s*([a-z]+)([0-9_-]*)\s*[:.=_ -]\s*(.+)$/i.exec(key) ?? /^\s*(resources?)(\d*)([vp]?gpu)$/i.exec(key)
  const [, namespace = '', number = '', name = ''] = parts ?? []
  const suffix = number.replace(/[_-]+$/, '')
  const meant = isLike(namespace, 'resources', 2) ? meantClass(name) : null
  if (meant !== null)
    return {
      because: 'Nova reads only keys that begin with resources',
      instead: { key: `resources${suffix}:${meant}`, value: meantAmount(value) },
    }
  return isLike(namespace, 'trait', 2) && (value === 'required' || value === 'forbidden')
    ? {
        because: 'Nova reads only keys that begin with trait',
        instead: { key: `trait${suffix}:${name.trim()}`, value },
      }
    : null
}

/** Namespaces that scheduler filters and Cyborg read. */
const FILTER_SCOPES = /^(capabilities|aggregate_instance_extra_specs|accel):/

/** `vgpu=1`, `hw:gpu=1`: nothing in Nova requests a GPU by such a key. */
const looseProblem = ({ key, value }: Spec): Found | null => {
  const last = key.split(/[:.=]/).at(-1) ?? ''
  const amount = pythonInt(value)
  if (FILTER_SCOPES.test(key) || amount === null || amount < 1) return null
  if (!GPU_NAME.test(last.trim().replace(/[_-]?(count|num|number|amount)$/i, ''))) return null
  return {
    because: 'Nova requests no GPU by this key',
    instead: { key: 'resources:VGPU', value: String(amount) },
    isGuess: true,
  }
}

const isGpuSpec = ([key, value]: [string, string]): boolean =>
  key.startsWith('accel:') ||
  key === ALIAS_KEY ||
  (isGpuClass(RESOURCE_KEY.exec(key)?.[2] ?? '') && (pythonInt(value) ?? 0) > 0)

/**
 * Extra specs that do not request what they name, because Nova does not read their key or value. Source:
 * nova/scheduler/utils.py ResourceRequest.XS_KEYPAT, nova/objects/request_spec.py RequestGroup.
 */
export const extraSpecProblems = ({ extraSpecs }: Pick<Flavor, 'extraSpecs'>): SpecProblem[] => {
  const hasGpu = Object.entries(extraSpecs).some(isGpuSpec)
  return Object.entries(extraSpecs).flatMap(([key, value]) => {
    const spec = { key, value }
    const found =
      resourceProblem(spec) ??
      traitProblem(spec) ??
      aliasProblem(spec) ??
      policyProblem(spec) ??
      misspelledProblem(spec) ??
      (hasGpu ? null : looseProblem(spec))
    return found === null ? [] : [{ ...spec, effect: 'ignored', isGuess: false, ...found }]
  })
}
