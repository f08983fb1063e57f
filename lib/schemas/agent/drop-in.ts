/** The file of the drop-in folder that changes write: read after what else stands there, as far as names are usual. */
export const DROP_IN_FILE = '99-sliceboard-mdev.conf'
