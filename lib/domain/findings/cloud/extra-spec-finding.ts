import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { extraSpecProblems, type SpecProblem } from '@/lib/domain/fit/extra-spec-problems'
import { type FlavorView, gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { sh, shellOperands, shellOption } from '@/lib/util/encode/shell'
import type { Finding, FindingCommand } from '../finding'
import { makeFinding } from './detector'
import { flavorReports, flavorSubject } from './flavor-view'

/** The flavor has the key that was meant, and its value is not to be replaced by that of the wrong key. */
const isThereAlready = (
  { extraSpecs }: Flavor,
  { key, instead }: Pick<SpecProblem, 'key' | 'instead'>,
): boolean => instead !== null && instead.key !== key && extraSpecs[instead.key] !== undefined

/** Sets what was meant, then removes the old key, so that the flavor never requests less in between. */
const commandFor = ({ flavor }: FlavorView, { key, instead }: SpecProblem): FindingCommand | null => {
  if (instead === null) return null
  const id = shellOperands([flavor.id])
  const unset = sh`openstack flavor unset ${shellOption(sh`--property`, key)} ${id}`
  if (isThereAlready(flavor, { key, instead })) return unset
  const set = sh`openstack flavor set ${shellOption(sh`--property`, `${instead.key}=${instead.value}`)} ${id}`
  return instead.key === key ? set : sh`${set} && ${unset}`
}

const nextStepFor = ({ flavor }: FlavorView, { key, because, instead }: SpecProblem): string => {
  if (instead === null) return `Correct or remove ${key}: ${because}.`
  if (isThereAlready(flavor, { key, instead })) return `Remove ${key}: the flavor already has ${instead.key}.`
  return instead.key === key
    ? `Set ${key} to ${instead.value}: ${because}.`
    : `Replace ${key} with ${instead.key}=${instead.value}: ${because}.`
}

/** Keys of aggregates, which AggregateInstanceExtraSpecsFilter compares with a flavor's keys. */
const aggregateKeys = (fleet: Fleet): ReadonlySet<string> =>
  new Set((fleet.input.facts.aggregates.value ?? []).flatMap(({ metadata }) => Object.keys(metadata)))

export type ExtraSpecText = {
  code: string
  sentence: (problem: SpecProblem, flavorName: string) => string
  consequence: string
  /** Further problems, which other parts of the cloud show. */
  others?: (flavor: Flavor) => SpecProblem[]
}

/** One problem for each key. */
const problemsOf = (flavor: Flavor, others: NonNullable<ExtraSpecText['others']>): SpecProblem[] => {
  const own = extraSpecProblems(flavor)
  return [...own, ...others(flavor).filter((other) => !own.some(({ key }) => key === other.key))]
}

/** A finding for each extra spec of an enabled flavor that has this effect. */
export const extraSpecFindings = (
  fleet: Fleet,
  effect: SpecProblem['effect'],
  { code, sentence, consequence, others = () => [] }: ExtraSpecText,
): Finding[] => {
  const used = aggregateKeys(fleet)
  return gpuFlavors(fleet).flatMap((view) =>
    problemsOf(view.flavor, others)
      .filter((problem) => problem.effect === effect && !(problem.isGuess && used.has(problem.key)))
      .map((problem) =>
        makeFinding({
          code,
          severity: problem.isGuess ? 'warning' : 'error',
          subject: flavorSubject(view),
          part: problem.key,
          sentence: sentence(problem, view.flavor.name),
          consequence,
          nextStep: nextStepFor(view, problem),
          command: commandFor(view, problem),
          sourceToCorrect: 'nova',
          evidence: [flavorReports(fleet, view)],
        }),
      ),
  )
}
