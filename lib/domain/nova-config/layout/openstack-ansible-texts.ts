import { sh, shellOption } from '@/lib/util/encode/shell'
import { yamlDocument } from '@/lib/util/encode/yaml'
import { listText } from '../../wording'
import type { ConfigText, RenderInput } from './config-text'
import { novaSections, sectionMap } from './nova-sections'

/** The role os_nova merges `nova_nova_conf_overrides` into nova.conf; variables of a host reach that host alone. */
export const openstackAnsibleTexts = ({ groups, release }: RenderInput): ConfigText[] =>
  groups.map(({ hosts, layout }) => ({
    title: `Variables of ${listText(hosts)}`,
    path: hosts.map((host) => `/etc/openstack_deploy/host_vars/${host}.yml`).join('\n'),
    language: 'yaml',
    text: yamlDocument({ nova_nova_conf_overrides: sectionMap(novaSections(layout, release)) }),
    notes: [
      ...(hosts.length === 1
        ? []
        : [
            'The same variables for each of the hosts, or once in group_vars of a group that holds them alone.',
          ]),
      'Merge it with overrides that the file has already. Check that user_variables.yml does not set nova_nova_conf_overrides: what stands there beats variables of hosts.',
      'From Wallaby on os_nova has nova_enabled_vgpu_types too; use one of the two.',
      `Roll it out by "openstack-ansible os-nova-install.yml --tags nova-config ${shellOption(sh`--limit`, hosts.join(','))}", and check that nova-compute was restarted.`,
    ],
  }))
