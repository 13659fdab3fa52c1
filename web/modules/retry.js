// The daemon does not answer: tries again every five seconds.
setTimeout(() => location.reload(), 5000);
