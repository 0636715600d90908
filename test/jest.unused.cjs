/** In place of packages that tests load and do not use. */
module.exports = {};
