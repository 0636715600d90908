require('./main').main(process.argv.slice(2));
