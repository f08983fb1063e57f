import { checkLayout } from './check-layout'
import type { ConfigDeployment, ConfigText, RenderInput } from './config-text'
import { helmTexts } from './helm-texts'
import { jujuTexts } from './juju-texts'
import { kollaTexts } from './kolla-texts'
import { groupLayouts, type MdevLayout } from './mdev-layout'
import { moskTexts } from './mosk-texts'
import { novaConfTexts } from './nova-conf-texts'
import { openstackAnsibleTexts } from './openstack-ansible-texts'

const RENDERERS: Readonly<Record<ConfigDeployment, (input: RenderInput) => ConfigText[]>> = {
  'nova-conf': novaConfTexts,
  mosk: moskTexts,
  'openstack-helm': helmTexts,
  'kolla-ansible': kollaTexts,
  'openstack-ansible': openstackAnsibleTexts,
  juju: jujuTexts,
}

/** A layout that nova-compute would not work with; the message is that of the first problem. */
class LayoutError extends Error {
  override name = 'LayoutError'
}

/**
 * The texts that bring hosts to their layouts with one deployment tool; hosts with equal layouts share one. `release` is the
 * first number of nova-compute's version (24 is Xena). Throws LayoutError for what `checkLayout` refuses.
 */
export const renderConfig = ({
  deployment,
  layouts,
  release,
}: {
  deployment: ConfigDeployment
  layouts: readonly MdevLayout[]
  release: number
}): ConfigText[] => {
  const [problem] = layouts.flatMap((layout) => checkLayout(layout, release))
  if (problem !== undefined) throw new LayoutError(`${problem.host}: ${problem.message}`)
  return layouts.length === 0 ? [] : RENDERERS[deployment]({ groups: groupLayouts(layouts), release })
}
