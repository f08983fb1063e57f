import type { CloudConfig } from './cloud-config'

/** The clouds that are used, and for the operator what was joined or may be the same. */
type JoinedEntries = { clouds: CloudConfig[]; notices: string[] }

const keystoneOf = ({ authUrl }: CloudConfig): string => authUrl.replace(/\/v3$/, '').toLowerCase()

const accountOf = ({ auth }: CloudConfig): string =>
  JSON.stringify(auth.kind === 'password' ? [auth.user, auth.password] : [auth.credential, auth.secret])

/** `prod` and `prod-internal`, as Kolla names the entries of one cloud. */
const extendsName = (long: string, short: string): boolean =>
  long.startsWith(short) && /^[-_.:]/.test(long.slice(short.length))

type Pair = readonly [CloudConfig, CloudConfig]

const isSameRegion = ([left, right]: Pair, regionsOf: ReadonlyMap<string, ReadonlySet<string>>): boolean => {
  if (left.region === right.region) return true
  // Without a region the entry means the only one that the Keystone has.
  const isOneUnnamed = left.region === null || right.region === null
  return isOneUnnamed && keystoneOf(left) === keystoneOf(right) && regionsOf.get(keystoneOf(left))?.size === 1
}

/** An address for other networks: the same account with the same password, under a name that extends the other. */
const isOtherAddress = ([left, right]: Pair): boolean =>
  (extendsName(left.name, right.name) || extendsName(right.name, left.name)) &&
  accountOf(left) === accountOf(right)

const isUsable = ({ auth }: CloudConfig): boolean =>
  auth.kind === 'application-credential' || auth.project !== null || auth.trustId !== null

/** Higher is better: an account for this console, then the cloud's admin; without a project nothing can be read. */
const rankOf = (cloud: CloudConfig): number => {
  if (!isUsable(cloud)) return 0
  if (cloud.auth.kind === 'application-credential') return 3
  const { user, project } = cloud.auth
  const userName = 'name' in user ? user.name : ''
  if (userName === 'sliceboard') return 4
  const isAdminProject = project !== null && 'name' in project && project.name === 'admin'
  if (userName === 'admin') return isAdminProject ? 3 : 2
  return 1
}

/** Groups of entries that are linked by `isSame`. */
const groupBy = (clouds: readonly CloudConfig[], isSame: (pair: Pair) => boolean): CloudConfig[][] => {
  let groups: CloudConfig[][] = []
  for (const cloud of clouds) {
    const own = groups.filter((group) => group.some((other) => isSame([other, cloud])))
    const others = groups.filter((group) => !own.includes(group))
    groups = [...others, [...own.flat(), cloud]]
  }
  return groups
}

const labelOf = ({ name, region }: CloudConfig): string => (region === null ? name : `${name} (${region})`)

const chooseFrom = (group: readonly CloudConfig[], clouds: readonly CloudConfig[]): CloudConfig | undefined =>
  [...group].sort((a, b) => rankOf(b) - rankOf(a) || clouds.indexOf(a) - clouds.indexOf(b))[0]

const warnAboutSystemScope = (clouds: readonly CloudConfig[]): string[] =>
  clouds
    .filter((cloud) => !isUsable(cloud))
    .map(
      ({ name }) =>
        `Cloud "${name}" has system_scope and no project. Nova and Placement need a project, so it cannot be read: add project_name and project_domain_name.`,
    )

const warnAboutAccounts = (chosen: readonly CloudConfig[]): string[] =>
  groupBy(
    chosen,
    (pair) =>
      pair[0].region === pair[1].region &&
      pair[0].name !== pair[1].name &&
      accountOf(pair[0]) === accountOf(pair[1]),
  )
    .filter((group) => group.length > 1)
    .map((group) => {
      const names = group.map(({ name }) => name)
      return `The entries ${names.join(', ')} of clouds.yaml have the same account and region. If they are one cloud, set OS_CLOUD to the entry to use, for example OS_CLOUD=${names[0]}.`
    })

/**
 * Entries of one cloud as one: Kolla and DevStack write several for each cloud. The same Keystone and region are one cloud; so is
 * another address of Keystone for the same account under an extended name.
 */
export const joinEntries = (clouds: readonly CloudConfig[]): JoinedEntries => {
  const regionsOf = new Map<string, Set<string>>()
  for (const cloud of clouds) {
    const regions = regionsOf.get(keystoneOf(cloud)) ?? new Set<string>()
    if (cloud.region !== null) regions.add(cloud.region)
    regionsOf.set(keystoneOf(cloud), regions)
  }
  const groups = groupBy(clouds, (pair) => {
    const isOneCloud = keystoneOf(pair[0]) === keystoneOf(pair[1]) || isOtherAddress(pair)
    return isOneCloud && isSameRegion(pair, regionsOf)
  })
  const notices: string[] = []
  const chosen = new Set<CloudConfig>()
  for (const group of groups) {
    const best = chooseFrom(group, clouds)
    if (best === undefined) continue
    chosen.add(best)
    const others = [...new Set(group.filter(({ name }) => name !== best.name).map(labelOf))]
    if (others.length === 0) continue
    notices.push(
      `The entries ${[labelOf(best), ...others].join(', ')} of clouds.yaml are one cloud and are shown as ${best.name}. To use another entry, set OS_CLOUD to its name.`,
    )
  }
  const used = clouds.filter((cloud) => chosen.has(cloud))
  return { clouds: used, notices: [...notices, ...warnAboutSystemScope(used), ...warnAboutAccounts(used)] }
}
