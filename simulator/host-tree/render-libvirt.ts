import type { Deployment } from './host-spec'
import { addAttribute, addFile, type Tree } from './tree'

const DAEMON_PID = 2417
const LAYER = '9c1f6f2f0f7f4f1ab0d6c3f1c25d0a7be18a4f5f0f8f44d0a6a3a6f5d3b9e102'

/** Of a container's root: where its writes go, and where the host sees it whole; null where only its runtime does. */
type ContainerRoot = { upper: string; merged: string | null }

/** Docker's overlay2, containerd's overlayfs snapshots, Podman's overlay. */
const containerRoot = (deployment: Deployment): ContainerRoot | null => {
  switch (deployment) {
    case 'kolla': {
      const layer = `/var/lib/docker/overlay2/${LAYER}`
      return { upper: `${layer}/diff`, merged: `${layer}/merged` }
    }
    case 'openstack-helm':
      return {
        upper: '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/217/fs',
        merged: null,
      }
    case 'tripleo': {
      const layer = `/var/lib/containers/storage/overlay/${LAYER}`
      return { upper: `${layer}/diff`, merged: `${layer}/merged` }
    }
    default:
      return null
  }
}

/** mdevctl's folder as the host sees it; libvirt in a container has its own. */
export const definitionsFolder = (deployment: Deployment): string => {
  const root = containerRoot(deployment)
  return `${root === null ? '' : (root.merged ?? root.upper)}/etc/mdevctl.d`
}

const hostRoot = '25 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw'

const overlay = (point: string, { upper }: ContainerRoot): string =>
  `612 25 0:57 / ${point} rw,relatime - overlay overlay rw,lowerdir=/var/lib/lower,upperdir=${upper},workdir=${upper}-work`

const mountinfo = (tree: Tree, pid: number, lines: string[]): void =>
  addFile(tree, `/proc/${pid}/mountinfo`, `${lines.join('\n')}\n`, 0o444)

/** libvirt's daemon and what it and the host have mounted. */
export const renderLibvirt = (tree: Tree, deployment: Deployment): void => {
  const root = containerRoot(deployment)
  addFile(tree, '/run/libvirtd.pid', `${DAEMON_PID}`)
  addAttribute(tree, `/proc/${DAEMON_PID}/comm`, 'libvirtd')
  mountinfo(
    tree,
    1,
    root === null || root.merged === null ? [hostRoot] : [hostRoot, overlay(root.merged, root)],
  )
  mountinfo(tree, DAEMON_PID, [
    root === null ? hostRoot : overlay('/', root),
    '640 612 0:25 / /run rw,nosuid,nodev - tmpfs tmpfs rw',
  ])
}
