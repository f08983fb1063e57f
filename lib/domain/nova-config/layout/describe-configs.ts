import type { NovaConfig } from '@/lib/schemas/agent/inventory'
import { releaseBefore } from '../nova-releases'
import { checkLayout } from './check-layout'
import { CONFIG_DEPLOYMENTS, type ConfigDeployment, type ConfigText } from './config-text'
import type { MdevLayout } from './mdev-layout'
import { renderConfig } from './render-config'

/** One deployment's texts, or why there are none. */
export type DeploymentConfig = {
  deployment: ConfigDeployment
  texts: ConfigText[]
  problem: string | null
}

type Reported = NovaConfig['deployment']

/** What fits the way in which an agent found nova.conf; MOSK and openstack-helm look alike on the host. */
const LIKELY: Readonly<Record<Reported, ConfigDeployment>> = {
  package: 'nova-conf',
  given: 'nova-conf',
  tripleo: 'nova-conf',
  rhoso: 'nova-conf',
  snap: 'nova-conf',
  kolla: 'kolla-ansible',
  'openstack-helm': 'mosk',
}

export const likelyFirst = (reported: readonly Reported[]): ConfigDeployment[] => {
  const likely = reported.map((each) => LIKELY[each])
  const votes = (deployment: ConfigDeployment): number => likely.filter((each) => each === deployment).length
  return [...CONFIG_DEPLOYMENTS].sort((a, b) => votes(b) - votes(a))
}

const hasNewOptions = ({ types }: MdevLayout): boolean =>
  types.some(({ mdevClass, maxInstances }) => mdevClass !== null || maxInstances !== null)

/**
 * What a change of layouts means for every deployment tool; the one that the hosts seem to use comes first. `release`: of
 * nova-compute, null: unknown. `usesOldNames`: nova.conf of a host names its types as before Xena; then so do the texts,
 * unless they need an option that only the new names have. What nova-compute would refuse is in the problem.
 */
export const describeConfigs = ({
  layouts,
  release: known,
  usesOldNames,
  reported,
}: {
  layouts: readonly MdevLayout[]
  release: number | null
  usesOldNames: boolean
  reported: readonly Reported[]
}): DeploymentConfig[] => {
  const release = usesOldNames && !layouts.some(hasNewOptions) ? releaseBefore('mdevOptionNames') : known
  const problem =
    release === null
      ? 'Nova has not reported its version, and the names of the options depend on it. Wait for the next reading round.'
      : (layouts
          .flatMap((layout) => checkLayout(layout, release))
          .map(({ host, message }) => `${host}: ${message}`)[0] ?? null)
  return likelyFirst(reported).map((deployment) => ({
    deployment,
    texts: problem === null && release !== null ? renderConfig({ deployment, layouts, release }) : [],
    problem,
  }))
}
