import { DROP_IN_FILE } from '@/lib/schemas/agent/drop-in'
import { listText } from '../../wording'
import type { ConfigText, RenderInput } from './config-text'
import { iniText, novaSections } from './nova-sections'

/** Read after every other file of its folder, as far as their names are usual. */
const DROP_IN = `/etc/nova/nova.conf.d/${DROP_IN_FILE}`

/** One file per layout, the same on each of its hosts. */
export const novaConfTexts = ({ groups, release }: RenderInput): ConfigText[] =>
  groups.map(({ hosts, layout }) => ({
    title: `Drop-in of ${listText(hosts)}`,
    path: DROP_IN,
    language: 'ini',
    text: iniText(novaSections(layout, release)),
    notes: [
      'nova-compute reads the file at its next start.',
      'On Debian and Ubuntu nova-compute reads this folder before nova.conf and nova-compute.conf. Remove [devices] and the sections of the types from those files; otherwise this file has no effect.',
    ],
  }))
