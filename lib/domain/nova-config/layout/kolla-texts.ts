import { sh, shellOption } from '@/lib/util/encode/shell'
import { listText } from '../../wording'
import type { ConfigText, RenderInput } from './config-text'
import { iniText, novaSections } from './nova-sections'

/**
 * The role nova-cell merges `nova/<inventory host>/nova.conf` over everything else, option by option
 * (kolla-ansible ansible/roles/nova-cell/tasks/config.yml).
 */
export const kollaTexts = ({ groups, release }: RenderInput): ConfigText[] =>
  groups.map(({ hosts, layout }) => ({
    title: `nova.conf of ${listText(hosts)}`,
    path: hosts.map((host) => `/etc/kolla/config/nova/${host}/nova.conf`).join('\n'),
    language: 'ini',
    text: iniText(novaSections(layout, release)),
    notes: [
      ...(hosts.length === 1 ? [] : ['Use the same file for each host.']),
      'Folders have the names of the hosts in the inventory. If /etc/kolla/config is elsewhere, see node_custom_config in globals.yml. Keep the other options of an existing file.',
      `Roll it out with "kolla-ansible reconfigure --tags nova ${shellOption(sh`--limit`, hosts.join(','))}" with your inventory. It restarts the container nova_compute.`,
      'Kolla has no volume for /etc/mdevctl.d: definitions of mdevs are lost when the container is recreated.',
    ],
  }))
