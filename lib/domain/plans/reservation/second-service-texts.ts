import type { JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { listedFunctions } from '@/lib/domain/cloud/vf-promise'
import { CONFIG_DEPLOYMENTS, type ConfigText } from '@/lib/domain/nova-config/layout/config-text'
import type { DeploymentConfig } from '@/lib/domain/nova-config/layout/describe-configs'
import { readPciAliases } from '@/lib/domain/nova-config/pci-alias'
import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { jsonText } from '@/lib/util/encode/json'
import { novaConf, novaConfValue } from '@/lib/util/encode/nova-conf'
import { sh, shellOperands, shellWord } from '@/lib/util/encode/shell'
import { systemd, systemdWord } from '@/lib/util/encode/systemd'
import type { SecondServiceInput } from './tasks'

const GPU_CONF = '/etc/nova/nova-gpu.conf'
const UNIT = '/etc/systemd/system/openstack-nova-gpu.service'

const memoryOf = ({ host }: JoinedHost): number =>
  (host.inventory.host.numaNodes ?? []).reduce((sum, { memoryMib }) => sum + (memoryMib ?? 0), 0)

const whitelist = (joined: JoinedHost): string[] =>
  joined.pgpus
    .filter((entry) => listedFunctions(joined, entry.pgpu).length > 0)
    .map(({ pgpu }) => jsonText({ vendor_id: pgpu.vendorId, product_id: pgpu.deviceId }))
    .filter((text, index, all) => all.indexOf(text) === index)

const conf = (joined: JoinedHost, input: SecondServiceInput): ConfigText => ({
  title: `Options of ${input.secondHost} that differ from ${input.host}`,
  path: `${GPU_CONF} on ${input.host}`,
  language: 'ini',
  text: joinEncoded(
    [
      novaConf`[DEFAULT]`,
      novaConf`host = ${novaConfValue(input.secondHost)}`,
      novaConf`vcpu_pin_set = ${novaConfValue(input.dedicatedSet)}`,
      novaConf`reserved_host_memory_mb = ${Math.max(0, memoryOf(joined) - input.memoryMib)}`,
      novaConf`pci_passthrough_whitelist = ${novaConfValue(`[${whitelist(joined).join(', ')}]`)}`,
      novaConf``,
    ],
    '\n',
  ),
  notes: [
    `First copy nova.conf to ${GPU_CONF}, then replace its options with these lines.`,
    'Set a separate state_path and instances_path.',
  ],
})

const firstConf = (input: SecondServiceInput): ConfigText => ({
  title: `Capacity that ${input.host} reserves for ${input.secondHost}`,
  path: `/etc/nova/nova.conf on ${input.host}`,
  language: 'ini',
  text: novaConf`[DEFAULT]\nvcpu_pin_set = ${novaConfValue(input.sharedSet)}\nreserved_host_memory_mb = ${input.memoryMib}\n`,
  notes: [
    'Remove pci_passthrough_whitelist from it: the second service owns the cards.',
    'This number does not include the memory of the host. Add it.',
  ],
})

/** The unit of Bright's article, with the sections that systemd requires. */
export const secondUnitText = (): Encoded<'systemd'> =>
  joinEncoded(
    [
      systemd`[Unit]`,
      systemd`Description=OpenStack Nova Compute Server`,
      systemd`After=network-online.target libvirtd.service`,
      systemd`Wants=network-online.target`,
      systemd``,
      systemd`[Service]`,
      systemd`Type=simple`,
      systemd`User=nova`,
      systemd`ExecStart=/usr/bin/nova-compute --config-file ${systemdWord(GPU_CONF)}`,
      systemd`Restart=on-failure`,
      systemd``,
      systemd`[Install]`,
      systemd`WantedBy=multi-user.target`,
      systemd``,
    ],
    '\n',
  )

const unit = (input: SecondServiceInput): ConfigText => ({
  title: `The service ${input.secondHost}`,
  path: `${UNIT} on ${input.host}`,
  language: 'ini',
  text: secondUnitText(),
  notes: ['Then "systemctl daemon-reload" and "systemctl enable --now openstack-nova-gpu".'],
})

const commands = (joined: JoinedHost, input: SecondServiceInput): ConfigText => {
  const config = joined.host.inventory.novaConfig
  const alias = config === null ? undefined : readPciAliases(config)[0]?.name
  return {
    title: 'Aggregate and flavor',
    path: 'with python-openstackclient, as an admin',
    language: 'shell',
    text: joinEncoded(
      [
        sh`openstack aggregate create --property gpu='true' gpu`,
        sh`openstack aggregate add host ${shellOperands(['gpu', input.secondHost])}`,
        sh`openstack flavor create --private --vcpus 2 --ram ${input.memoryMib} --disk 40 --property gpu='true' --property ${shellWord(`pci_passthrough:alias=${alias ?? 'gpu'}:1`)} g1.gpu`,
        sh``,
      ],
      '\n',
    ),
    notes: [
      'The property gpu applies only if nova-scheduler enables AggregateInstanceExtraSpecsFilter.',
      `Neutron needs the patch of _bind_port that maps ${input.secondHost} to ${input.host}; otherwise no port is bound.`,
    ],
  }
}

/** Texts of the method of Bright's article, for plain packages: no deployment tool knows two nova-compute services on one host. */
export const secondServiceConfigs = (joined: JoinedHost, input: SecondServiceInput): DeploymentConfig[] =>
  CONFIG_DEPLOYMENTS.map((deployment) =>
    deployment === 'nova-conf'
      ? {
          deployment,
          texts: [conf(joined, input), firstConf(input), unit(input), commands(joined, input)],
          problem: null,
        }
      : {
          deployment,
          texts: [],
          problem:
            'This deployment tool manages one nova-compute per host and would remove a second one. Choose another option.',
        },
  )
