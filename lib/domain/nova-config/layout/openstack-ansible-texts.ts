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
            'Set the same variables for each host, or once in group_vars of a group that contains only these hosts.',
          ]),
      'Merge it with existing overrides in the file. Check that user_variables.yml does not set nova_nova_conf_overrides: it takes precedence over host variables.',
      'From Wallaby on, os_nova also has nova_enabled_vgpu_types. Use one of the two.',
      `Roll it out with "openstack-ansible os-nova-install.yml --tags nova-config ${shellOption(sh`--limit`, hosts.join(','))}", and check that nova-compute was restarted.`,
    ],
  }))
