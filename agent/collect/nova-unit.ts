import type { HostFiles } from './host-files'

/** A service unit of systemd. `userId`: that of the user whose manager runs it; null: it is a unit of the system. */
export type NovaUnit = { name: string; userId: number | null }

/** Hierarchies of cgroup v2, and of v1 and the hybrid of both. */
const HIERARCHIES = ['/sys/fs/cgroup', '/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified']

/** `user.slice/user-1000.slice/user@1000.service/app.slice/app-nova\x2dcompute.slice/…` of a template of a user. */
const MAX_DEPTH = 5

/** A slice, or the manager of a user. Containers of LXD and their units lie in other groups. */
const OUTER = /\.slice$|^user@(\d{1,9})\.service$/

/** Names that a unit of nova-compute can have: `nova-compute@1`, `openstack-nova-compute`, `devstack@n-cpu`. */
const POSSIBLE = /^(?=[A-Za-z0-9:_.@\\-]{1,247}\.service$).*(?:nova|n-cpu|compute)/

/** The usual names: a unit that does not run is known by its name alone. */
const USUAL =
  /^(?:[A-Za-z0-9:_.@\\-]{0,99}[-_@.])?(?:nova[-_]compute|n-cpu)(?:-container|@[A-Za-z0-9:_.\\-]{1,99})?\.service$/

const ENABLED = '/etc/systemd/system/multi-user.target.wants'

const unitsIn = function* (
  group: { folder: string; depth: number; userId: number | null },
  files: HostFiles,
): Generator<NovaUnit & { folder: string }> {
  const { folder, depth, userId } = group
  for (const name of files.names(folder) ?? []) {
    const outer = OUTER.exec(name)
    if (outer === null && depth > 0 && POSSIBLE.test(name))
      yield { name, userId, folder: `${folder}/${name}` }
    if (outer === null || depth === MAX_DEPTH) continue
    const owner = outer[1] === undefined ? userId : Number(outer[1])
    yield* unitsIn({ folder: `${folder}/${name}`, depth: depth + 1, userId: owner }, files)
  }
}

/**
 * Units that may be that of nova-compute, with the folders of their control groups. The slice is system.slice unless the unit
 * names another, such as nova.slice of OpenStack-Ansible (ansible-role-systemd_service, Slice=).
 */
export const possibleUnits = function* (files: HostFiles): Generator<NovaUnit & { folder: string }> {
  for (const folder of HIERARCHIES) yield* unitsIn({ folder, depth: 0, userId: null }, files)
}

/** The only enabled unit with a usual name; null: none or several are enabled. */
export const enabledUnit = (files: HostFiles): NovaUnit | null => {
  const [name, ...others] = (files.names(ENABLED) ?? []).filter((each) => USUAL.test(each))
  return name === undefined || others.length > 0 ? null : { name, userId: null }
}
