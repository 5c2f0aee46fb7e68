/** Whether the server can still show the key. After its secret key was lost or changed it cannot, and the key no longer works. */
export const isReadable = ({ key }: { key: string }): boolean => key !== ''
