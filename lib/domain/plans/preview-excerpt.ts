import type { ChangePreview, TraitNaming, TraitTexts, TypeChangePreview } from '@/lib/schemas/api/change'
import type { LimitChangePreview } from '@/lib/schemas/api/limit-change'

/** Entries of each list of a preview in an answer. Lists of pGPUs are short per entry and stay whole. */
const MAX_LISTED = { hosts: 50, texts: 20, servers: 100, providers: 100, named: 10, limits: 100 }

type Config = NonNullable<TypeChangePreview['configs']>[number]
type Matches = ChangePreview['flavors'][number]

const excerptConfig = (config: Config): Config => ({
  ...config,
  texts: config.texts.slice(0, MAX_LISTED.texts),
  textCount: config.texts.length,
})

const excerptType = (change: TypeChangePreview): TypeChangePreview => {
  const { hosts, servers, configs } = change
  const by = (way: (typeof servers)[number]['way']): number =>
    servers.filter((server) => server.way === way).length
  return {
    ...change,
    hosts: hosts.slice(0, MAX_LISTED.hosts),
    servers: servers.slice(0, MAX_LISTED.servers),
    ...(configs === undefined ? {} : { configs: configs.map(excerptConfig) }),
    totals: {
      hosts: hosts.length,
      pgpus: hosts.reduce((sum, { pgpus }) => sum + pgpus.length, 0),
      servers: { live: by('live'), cold: by('cold'), owner: by('owner') },
    },
  }
}

const excerptTexts = ({ files, deviceSpecs }: TraitTexts): TraitTexts => ({
  files: files.slice(0, MAX_LISTED.hosts),
  deviceSpecs: deviceSpecs.slice(0, MAX_LISTED.hosts),
  totals: { files: files.length, deviceSpecs: deviceSpecs.length },
})

const excerptNaming = (naming: TraitNaming): TraitNaming => ({
  ...naming,
  providers: naming.providers.slice(0, MAX_LISTED.providers),
  providerCount: naming.providers.length,
})

const excerptMatches = ({ gains, loses, ...matches }: Matches): Matches => ({
  ...matches,
  ...(gains === undefined ? {} : { gains: gains.slice(0, MAX_LISTED.named), gainCount: gains.length }),
  ...(loses === undefined ? {} : { loses: loses.slice(0, MAX_LISTED.named), loseCount: loses.length }),
})

const excerptLimits = (change: LimitChangePreview): LimitChangePreview => {
  const { effects, over, dayOne, refusals, strays } = change
  const max = MAX_LISTED.limits
  return {
    ...change,
    effects: effects.slice(0, max),
    over: over.slice(0, max),
    ...(dayOne === undefined ? {} : { dayOne: { unknown: dayOne.unknown.slice(0, max) } }),
    refusals: refusals.slice(0, max),
    ...(strays === undefined
      ? {}
      : { strays: { registered: strays.registered.slice(0, max), limits: strays.limits.slice(0, max) } }),
    totals: {
      effects: effects.length,
      over: over.length,
      overProjects: new Set(over.map(({ projectId }) => projectId)).size,
      unknown: dayOne?.unknown.length ?? 0,
      refusals: refusals.length,
      strays: (strays?.registered.length ?? 0) + (strays?.limits.length ?? 0),
    },
  }
}

/** A preview for an answer: of long lists their first entries, with the number of all. */
export const previewExcerpt = (preview: ChangePreview): ChangePreview => {
  const flavors = preview.flavors.map(excerptMatches)
  switch (preview.kind) {
    case 'type':
    case 'passthrough': {
      const { typeChange } = preview
      return { ...preview, flavors, typeChange: typeChange === null ? null : excerptType(typeChange) }
    }
    case 'traits': {
      const { traitTexts, traitNaming } = preview
      return {
        ...preview,
        flavors,
        traitTexts: excerptTexts(traitTexts),
        traitNaming: traitNaming === null ? null : excerptNaming(traitNaming),
      }
    }
    case 'limits':
      return { ...preview, flavors, limitChange: excerptLimits(preview.limitChange) }
    default:
      return { ...preview, flavors }
  }
}
