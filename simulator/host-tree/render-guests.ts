import { guestStateFiles } from './guest-paths'
import { liveXml, persistentXml } from './guest-xml'
import type { HostSpec, MdevDefinitionSpec } from './host-spec'
import { definitionsFolder } from './render-libvirt'
import { addDirectory, addFile, type Tree } from './tree'

/** Live XML of the guests that run, persistent XML of all. */
export const renderGuests = (tree: Tree, spec: HostSpec): void => {
  const { live, persistent } = guestStateFiles(spec.nova.deployment)
  addDirectory(tree, live)
  addDirectory(tree, persistent)
  for (const guest of spec.guests) {
    addFile(tree, `${persistent}/${guest.name}.xml`, persistentXml(guest), 0o600)
    if (guest.state !== 'shutoff') addFile(tree, `${live}/${guest.name}.xml`, liveXml(guest), 0o600)
  }
}

const definitionJson = (definition: MdevDefinitionSpec): string =>
  `${JSON.stringify({ mdev_type: definition.typeId, start: definition.start, attrs: [] }, null, 2)}\n`

/** `/etc/mdevctl.d/<parent>/<uuid>`, as mdevctl writes it. */
export const renderMdevDefinitions = (tree: Tree, spec: HostSpec): void => {
  const folder = definitionsFolder(spec.nova.deployment)
  addDirectory(tree, folder)
  for (const definition of spec.mdevDefinitions) {
    const at = `${folder}/${definition.parent}/${definition.uuid}`
    addFile(tree, at, definitionJson(definition), 0o644)
  }
}
