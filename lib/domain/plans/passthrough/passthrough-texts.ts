import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { hostRange } from '@/lib/domain/cloud/host-range'
import { entryText } from '@/lib/domain/cloud/pci-layout'
import { DEFAULT_TRAIT_RULE } from '@/lib/domain/cloud/type-traits'
import type { ConfigDeployment, ConfigText } from '@/lib/domain/nova-config/layout/config-text'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { type NovaSection, novaSections } from '@/lib/domain/nova-config/layout/nova-sections'
import { releaseOfRange } from '@/lib/domain/nova-config/nova-releases'
import { isVfioDriver } from '@/lib/domain/pgpu/vfio-driver'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { sh, shellWord } from '@/lib/util/encode/shell'
import { systemd, systemdWord } from '@/lib/util/encode/systemd'
import { mapInSteps } from '@/lib/util/map-in-steps'
import { isSameLayout } from '../host-steps/host-layout'
import { mdevLayout, previewConfigs } from '../host-steps/preview-configs'
import { NO_CONFIG_REASON, newAliases, pciTexts } from '../host-steps/vfio/vfio-texts'
import { cardFunctions, type PassthroughDraft } from './draft'

const UNIT = '/etc/systemd/system/sliceboard-passthrough.service'

const DEVICES = '/sys/bus/pci/devices'

/** What goes out whole once the change is done, those cards too that it does not touch: the file is one for all of the host. */
const boundFunctions = ({ joined, targets, to }: PassthroughDraft): string[] => {
  const own = targets.map(({ entry }) => entry)
  const whole = joined.pgpus.filter(
    (entry) =>
      !own.includes(entry) && entry.pgpu.framework === 'passthrough' && isVfioDriver(entry.pgpu.driver ?? ''),
  )
  return [...whole, ...(to === 'whole' ? own : [])].flatMap((entry) => [
    ...cardFunctions(joined, entry).flatMap(({ address, driver }) => (driver === null ? [] : [address])),
    entry.pgpu.address,
  ])
}

/** `driver_override` is lost at a reboot: a unit binds the cards before libvirt and nova-compute start. */
const unitText = (draft: PassthroughDraft): ConfigText => {
  const host = draft.joined.host.name
  const functions = boundFunctions(draft)
  const bind = (address: string): Encoded<'systemd'>[] => {
    const [name, device] = [shellWord(address), `${DEVICES}/${address}`]
    const override = sh`echo vfio-pci > ${shellWord(`${device}/driver_override`)}`
    const unbind = sh`echo ${name} > ${shellWord(`${device}/driver/unbind`)}`
    const probe = sh`echo ${name} > /sys/bus/pci/drivers_probe`
    return [
      systemd`ExecStart=/bin/sh -c ${systemdWord(override)}`,
      systemd`ExecStart=-/bin/sh -c ${systemdWord(unbind)}`,
      systemd`ExecStart=/bin/sh -c ${systemdWord(probe)}`,
    ]
  }
  return {
    title: `vfio-pci on ${host} after a reboot`,
    path: `${UNIT} on ${host}`,
    language: 'ini',
    text: joinEncoded(
      [
        systemd`[Unit]`,
        systemd`Description=Cards for PCI passthrough`,
        systemd`Before=nova-compute.service libvirtd.service nvidia-vgpu-mgr.service nvidia-persistenced.service`,
        systemd``,
        systemd`[Service]`,
        systemd`Type=oneshot`,
        systemd`RemainAfterExit=yes`,
        systemd`ExecStart=/sbin/modprobe vfio-pci`,
        ...functions.flatMap(bind),
        systemd``,
        systemd`[Install]`,
        systemd`WantedBy=multi-user.target`,
        systemd``,
      ],
      '\n',
    ),
    notes: [
      'The driver binding is lost at a reboot. Write the unit, then run "systemctl daemon-reload" and "systemctl enable sliceboard-passthrough".',
      `Where driverctl is installed, "driverctl set-override ADDRESS vfio-pci" does the same for ${functions.join(' and ')}.`,
    ],
  }
}

/** What undoes the unit of a card that goes back to its driver; other cards that stay whole keep it. */
const noUnitText = ({ joined, targets }: PassthroughDraft, isLast: boolean): ConfigText => ({
  title: isLast
    ? `No vfio-pci on ${joined.host.name} after a reboot`
    : 'No vfio-pci for these cards after a reboot',
  path: `a shell on ${joined.host.name}`,
  language: 'shell',
  text: joinEncoded(
    [
      ...(isLast ? [sh`systemctl disable --now sliceboard-passthrough 2>/dev/null || true`] : []),
      ...targets.map(
        ({ entry }) => sh`driverctl unset-override ${shellWord(entry.pgpu.address)} 2>/dev/null || true`,
      ),
      sh``,
    ],
    '\n',
  ),
  notes: [
    ...(isLast
      ? []
      : ['Other cards of the host stay in passthrough. If the unit exists, replace it with the other text.']),
    'Also check for vfio-pci.ids on the kernel command line and in /etc/modprobe.d.',
  ],
})

const unitTexts = (draft: PassthroughDraft): ConfigText[] => {
  if (draft.to === 'whole') return [unitText(draft)]
  const isLast = boundFunctions(draft).length === 0
  return [noUnitText(draft, isLast), ...(isLast ? [] : [unitText(draft)])]
}

/** Juju's charm of the API takes aliases; device_spec of the compute charm is the same for every unit. */
const jujuTexts = (drafts: readonly PassthroughDraft[]): ConfigText[] => {
  const lines = newAliases(drafts.map(({ pci }) => pci)).map(({ entry }) => entryText(entry))
  if (lines.length === 0) return []
  const [only] = lines
  const value = only !== undefined && lines.length === 1 ? only : `[${lines.join(', ')}]`
  return [
    {
      title: "The alias for Nova's API",
      path: 'a shell with juju',
      language: 'shell',
      text: sh`juju config nova-cloud-controller pci-alias=${shellWord(value)}\n`,
      notes: [
        'The option holds one alias or a list of aliases. Keep the existing ones.',
        NO_CONFIG_REASON.juju,
      ],
    },
  ]
}

const pciPart = (
  deployment: ConfigDeployment,
  drafts: readonly PassthroughDraft[],
  sectionsOf: (draft: PassthroughDraft) => NovaSection[],
): ConfigText[] =>
  deployment === 'juju'
    ? jujuTexts(drafts)
    : pciTexts(
        deployment,
        drafts.map((draft) => ({ joined: draft.joined, ...draft.pci, sections: sectionsOf(draft) })),
      )

/** nova.conf for each deployment tool, the likely one first, and what binds the cards after a reboot. In steps. */
export function* passthroughConfigs(
  fleet: Fleet,
  drafts: readonly PassthroughDraft[],
): Generator<void, DeploymentConfig[]> {
  const retyped = drafts.filter(({ types }) => !isSameLayout(types.before, types.after))
  const ofTypes = previewConfigs(
    fleet,
    (retyped.length === 0 ? drafts : retyped).map(({ joined, targets, types }) => ({
      joined,
      targets,
      ...types,
      rule: DEFAULT_TRAIT_RULE,
    })),
  )
  const sectionsOf = ({ joined, types }: PassthroughDraft): NovaSection[] => {
    const release = releaseOfRange(hostRange(fleet, joined))
    return release === null || isSameLayout(types.before, types.after)
      ? []
      : novaSections(mdevLayout(joined.host.name, types.after), release)
  }
  yield
  const units = (yield* mapInSteps(drafts, unitTexts)).flat()
  return yield* mapInSteps(ofTypes, ({ deployment, texts, problem }) => {
    // These tools take all of a host's nova.conf in one text.
    const isWhole = deployment === 'mosk' || deployment === 'openstack-ansible'
    if (isWhole && problem !== null && retyped.length > 0) return { deployment, texts: [], problem }
    const pci = pciPart(deployment, drafts, isWhole ? sectionsOf : () => [])
    const own = [...(retyped.length === 0 || isWhole ? [] : texts), ...pci]
    return { deployment, texts: [...own, ...units], problem: retyped.length === 0 ? null : problem }
  })
}
